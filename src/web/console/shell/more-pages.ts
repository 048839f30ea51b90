// The pages about customers and mail, as one file for browsers.

export { CustomerPage } from '../customers/customer-page.tsx';
export { CustomersPage } from '../customers/customers-page.tsx';
export { HeldMailPage } from '../held-mail/held-mail-page.tsx';
export { OriginalDialog } from '../held-mail/original-dialog.tsx';
export { NotificationsPage } from '../notifications/notifications-page.tsx';
export { ring } from '../notifications/ring.ts';
