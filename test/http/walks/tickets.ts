// Calls about tickets, from applications, customers and agents.

import type { TestApp } from '../../support/app.ts';
import { each, file, inOwnFrame, unique, type Walks } from './step.ts';

export function ticketWalks(app: TestApp): Walks {
  const thread = async () => {
    const { ulid, accessToken } = await app.open();
    return { params: { ulid }, query: { access_token: accessToken } };
  };
  const ticket = async () => ({ params: { ticket: (await app.open()).ulid } });
  const aside = { to: [{ email: 'parts@supplier.example' }], subject: 'Broken hinge', body: 'Can you help?' };
  const sideConversation = async () => {
    const { ulid } = await app.open();
    const started = await app.asTeam('POST', `/api/v1/tickets/${ulid}/side-conversations`, aside);
    return { params: { ticket: ulid, side_conversation: String(started.json.data.ulid) } };
  };
  const macro = async () => {
    const added = await app.asTeam('POST', '/api/v1/macros', { name: 'Ask', body: 'Hello', site_id: app.site.id });
    return { params: { id: String(added.json.data.id) } };
  };
  return {
    createTicketFromApplication: () => ({
      params: {},
      body: { email: 'mia@example.org', subject: 'Hello', message: 'World' },
    }),
    listTicketsOfUser: async () => {
      await app.open({ context: { user: { external_id: 'user-17' } } });
      return { params: {}, query: { external_id: 'user-17' } };
    },
    replaceAccessToken: async () => {
      const { ulid } = await app.open({ context: { user: { external_id: 'user-17' } } });
      return { params: { ulid }, body: { external_id: 'user-17' } };
    },
    readThread: thread,
    replyAsCustomer: async () => ({ ...(await thread()), body: { body: 'More.' } }),
    attachAsCustomer: async () => ({ ...(await thread()), form: () => file() }),
    createTicket: () => ({
      params: {},
      body: { site_id: app.site.id, email: 'mia@example.org', subject: 'Hello', message: 'World' },
    }),
    readTicket: async () => ({ ...(await ticket()), query: { other_tickets: '1' } }),
    explainSla: ticket,
    showMail: async () => {
      const { ulid } = await app.open();
      const { client } = app.desk.store.writing;
      client.run(
        "UPDATE messages SET html = '<p>Hello</p>' WHERE ticket_id = (SELECT id FROM tickets WHERE ulid = ?)",
        [ulid],
      );
      const thread = await app.asTeam('GET', `/api/v1/tickets/${ulid}`);
      return { params: { ticket: ulid, message: thread.json.data.messages[0].ulid }, headers: inOwnFrame };
    },
    updateTicket: async () => ({ ...(await ticket()), body: { status: 'pending', tags: ['billing'] } }),
    replyAsAgent: async () => ({ ...(await ticket()), body: { body: 'Here you are.', agent_id: app.agentId } }),
    tellPresence: async () => ({ ...(await ticket()), body: { state: 'viewing' } }),
    withdrawReply: async () => {
      const { ulid } = await app.open();
      const { headers } = await app.person('viewer');
      const body = { body: 'Later.', hold_seconds: 60 };
      const held = await app.ask('POST', `/api/v1/tickets/${ulid}/notes`, { headers, body });
      return { params: { ticket: ulid, message: held.json.note.ulid }, headers };
    },
    resendReply: async () => {
      const { ulid } = await app.open();
      const sent = await app.asTeam('POST', `/api/v1/tickets/${ulid}/messages`, { body: 'Lost.' });
      const failed = JSON.stringify({ status: 'failed', at: '2026-09-11T09:30:00.000Z', error: '550' });
      const { client } = app.desk.store.writing;
      client.run('UPDATE messages SET delivery = ?, recipients = NULL WHERE id = ?', [failed, sent.json.reply.id]);
      return { params: { ticket: ulid, message: sent.json.reply.ulid } };
    },
    removeAttachment: async () => {
      const { ulid } = await app.open();
      const sent = await app.asTeam('POST', `/api/v1/tickets/${ulid}/attachments`, file());
      return { params: { ticket: ulid, ulid: sent.json.attachment.ulid } };
    },
    ...each(['readDraft', 'discardDraft'], ticket),
    saveDraft: async () => ({ ...(await ticket()), body: { body: 'Dear', tab: 'note' } }),
    addNote: async () => ({ ...(await ticket()), body: { body: 'Seen.' } }),
    ...each(['changeNote', 'deleteNote'], async () => {
      const { ulid } = await app.open();
      const { headers } = await app.person('viewer');
      const path = `/api/v1/tickets/${ulid}/notes`;
      const added = await app.ask('POST', path, { headers, body: { body: 'Seen.' } });
      return { params: { ticket: ulid, note: added.json.note.ulid }, headers, body: { body: 'Seen twice.' } };
    }),
    attachAsAgent: async () => ({ ...(await ticket()), form: () => file() }),
    listSideConversations: ticket,
    startSideConversation: async () => ({ ...(await ticket()), body: aside }),
    writeInSideConversation: async () => ({ ...(await sideConversation()), body: { body: 'Any news?' } }),
    changeSideConversation: async () => ({ ...(await sideConversation()), body: { is_closed: true } }),
    listParticipants: ticket,
    addParticipant: async () => ({ ...(await ticket()), body: { email: 'noor@example.org', name: 'Noor' } }),
    removeParticipant: async () => {
      const { ulid } = await app.open();
      const added = await app.asTeam('POST', `/api/v1/tickets/${ulid}/participants`, {
        email: 'noor@example.org',
      });
      return { params: { ticket: ulid, id: String(added.json.data.id) } };
    },
    mergeTickets: async () => ({ ...(await ticket()), body: { into: (await app.open()).ulid } }),
    unmergeTicket: async () => {
      const named = await ticket();
      await app.asTeam('POST', `/api/v1/tickets/${named.params.ticket}/merge`, { into: (await app.open()).ulid });
      return named;
    },
    ...each(['markRead', 'markUnread'], ticket),
    followTicket: async () => ({ ...(await ticket()), body: { following: 'yes' } }),
    splitTicket: async () => {
      const { params } = await ticket();
      const said = await app.asTeam('POST', `/api/v1/tickets/${params.ticket}/messages`, { body: 'And another.' });
      return { params, body: { message: said.json.reply.ulid } };
    },
    changeTickets: async () => ({
      params: {},
      body: { tickets: [(await app.open()).ulid], change: { status: 'pending', add_tags: ['waiting'] } },
    }),
    ...each(['listMacros'], () => ({ params: {} })),
    createMacro: () => ({
      params: {},
      body: {
        site_id: app.site.id,
        is_shared: true,
        name: 'Ask',
        body: 'Hello {{author.name}}',
        changes: { status: 'pending' },
      },
    }),
    ...each(['readMacro', 'deleteMacro'], macro),
    updateMacro: async () => ({ ...(await macro()), body: { name: `Ask ${unique()}` } }),
    previewMacro: async () => ({ ...(await macro()), query: { ticket: (await app.open()).ulid } }),
    readCustomer: async () => {
      const { ulid } = await app.open();
      const { data } = (await app.asTeam('GET', `/api/v1/tickets/${ulid}`)).json;
      return { params: { id: String(data.author.id) } };
    },
    anonymiseAuthor: async () => {
      const email = `gone${unique()}@example.org`;
      await app.open({ email });
      return { params: {}, body: { site_id: app.site.id, email } };
    },
    downloadAttachment: async () => {
      const { ulid, accessToken } = await app.open();
      const sent = await app.asSite(
        'POST',
        `/api/v1/public/tickets/${ulid}/attachments?access_token=${accessToken}`,
        file(),
      );
      const url = new URL(sent.json.attachment.url);
      return { params: { ulid: sent.json.attachment.ulid }, query: Object.fromEntries(url.searchParams) };
    },
  };
}
