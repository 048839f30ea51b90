// The customers' pages: what their scripts add to what the desk has written.

import { isLanguage, loadMessages } from '../shared/messages.ts';
import { refuseStrayFiles } from '../shared/stray-files.ts';
import { startEntrance } from './entrance.tsx';
import { offerForgetting } from './forgetting.tsx';
import { startForm } from './form.tsx';
import { startTicket } from './ticket.tsx';
import { startTickets } from './tickets.tsx';
import { writeLocalTimes } from './times.ts';

const { lang } = document.documentElement;
await loadMessages(isLanguage(lang) ? lang : 'en');
refuseStrayFiles();
writeLocalTimes(document.body);
offerForgetting();
const starts: Record<string, () => void> = {
  entrance: startEntrance,
  ticket: startTicket,
  form: startForm,
  tickets: startTickets,
};
starts[document.body.dataset.page ?? '']?.();
