// The worker for Cloudflare's Email Routing, as in docs/operations/mail.md.

export const worker = `export default {
  async email(message, env) {
    const headers = { 'Content-Type': 'message/rfc822', 'X-Envelope-From': message.from, 'X-Envelope-To': message.to };
    const answer = await fetch(env.INBOUND_URL, { method: 'POST', headers, body: message.raw });
    // Cloudflare then asks the sender's server to try again. Without this line the mail would be lost.
    if (!answer.ok) throw new Error(\`The desk answered \${answer.status}\`);
  },
};
`;
