// Every operation that changes something of the desk writes to the audit log, or is listed here with a reason.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { query } from '../../src/engine/database.ts';
import { isWrite } from '../../src/http/operation.ts';
import { allOperations } from '../../src/http/operations.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { pathOf, stepFor } from './walk.ts';

/** A ticket's own history has these. */
const ticketWork = [
  'createTicketFromApplication',
  'replaceAccessToken',
  'replyAsCustomer',
  'attachAsCustomer',
  'createTicket',
  'updateTicket',
  'replyAsAgent',
  'withdrawReply',
  'resendReply',
  'startSideConversation',
  'writeInSideConversation',
  'changeSideConversation',
  'addParticipant',
  'removeParticipant',
  'removeAttachment',
  'addNote',
  'changeNote',
  'deleteNote',
  'attachAsAgent',
  'mergeTickets',
  'changeTickets',
  'splitTicket',
  'unmergeTicket',
  'receiveMail',
  'sendForm',
  'rateByMail',
  'rateByLink',
  'attachToForm',
  'replyByLink',
  'attachByLink',
  'settleByLink',
  'revokeTicketLinks',
  'replayInboundMail',
  'releaseHeldMail',
];

const unaudited: Record<string, string> = {
  readSystem: 'changes nothing; the primary answers, which knows what it runs',
  readBackup: 'changes nothing; the primary answers, which has the file',
  downloadBackup: 'making it has a row',
  importSettingsFile: 'asked like this it only shows its plan; carrying it out has the rows of its changes',
  testServices: 'changes nothing: the file that it stores is removed',
  testMailServer: 'changes nothing; its mail goes to the owner who asks',
  testRestore: 'changes nothing: what it unpacks is removed',
  startDoctor: 'repairs only what can be derived from other data',
  testMailTemplate: 'mails an example to an agent; the outbox has it',
  testMailbox: 'changes nothing; its mail goes to the mailbox itself',
  connectMailbox: 'gives a link; coming back with a consent has a row',
  syncMailbox: 'only asks for mail earlier than it would come',
  redeliver: 'sends again what a ticket’s event caused; the delivery log has it',
  redeliverFailed: 'as redeliver',
  retryOutbox: 'as redeliver',
  retryOutgoing: 'as redeliver',
  openCustomerLink: 'the list of a ticket’s links has its uses',
  requestCustomerLink: 'anyone can ask; the list of a ticket’s links has what was mailed',
  askForCustomerCode: 'anyone can ask; the outbox has what was mailed',
  enterCustomerCode: 'proves an address of a customer in one browser; what they write says so',
  openOwnTicket: 'lets a customer’s browser read their ticket, as a link does',
  forgetBrowser: 'ends what one customer’s browser may read',
  confirmSession: 'changes nothing of the desk; a refused password has a row',
  requestPasswordReset: 'anyone can ask; choosing the password has a row',
  readSignInChallenge: 'changes nothing; a refused password has a row',
  askForPasskey: 'begins a sign-in that no one is named in yet',
  offerTotp: 'keeps a secret that counts only after its first right code',
  saveDraft: 'only its agent sees it, and nothing of the ticket changes',
  discardDraft: 'as saveDraft',
  createView: 'is a way to look at tickets, and may name customers',
  updateView: 'as createView',
  deleteView: 'as createView',
  orderViews: 'as createView, for one agent',
  createSavedReport: 'as createView',
  updateSavedReport: 'as createView',
  deleteSavedReport: 'as createView',
  markRead: 'only its agent sees it, and nothing of the ticket changes',
  markUnread: 'as markRead',
  readNotifications: 'as markRead',
  followTicket: 'as markRead',
  tellPresence: 'is kept in memory for ten seconds, and stored nowhere',
  addPushSubscription: 'only its agent gets what it sends; it ends with the session, which has rows',
  removePushSubscription: 'as addPushSubscription',
  testPushSubscription: 'as addPushSubscription',
  testChannel: 'sends a test event; the delivery log has it',
};

const writes = (await allOperations({ next: () => Promise.resolve(), close: () => undefined }, 'http://x')).filter(
  isWrite,
);

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const newest = () =>
  query<{ id: number }>(app.desk.store.writing, 'SELECT coalesce(max(id), 0) AS id FROM audit_log').get()?.id ?? 0;

test('the lists name operations that are there', () => {
  const known = writes.map(({ id }) => id);
  expect([...ticketWork, ...Object.keys(unaudited)].filter((id) => !known.includes(id))).toEqual([]);
  expect(ticketWork.filter((id) => Object.hasOwn(unaudited, id))).toEqual([]);
});

describe('a row for', () => {
  test.each(writes.map((operation) => [operation.id, operation] as const))('%s', async (id, operation) => {
    const { method, path } = operation;
    const step = await stepFor(app, id);
    const headers = { ...(await app.welcome(operation)), ...step.headers };
    const before = newest();
    const body = step.form ? step.form() : step.body;
    const answer = await app.ask(method, pathOf(path, step), { headers, body });
    expect(answer.status, answer.text).toBeLessThan(400);
    const isExpected = !ticketWork.includes(id) && !Object.hasOwn(unaudited, id);
    expect(newest() > before).toBe(isExpected);
  });
});
