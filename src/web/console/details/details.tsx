// What is known about a ticket besides its conversation.

export function Details({ ticket }: { ticket: string }) {
  return <section data-ticket={ticket} />;
}
