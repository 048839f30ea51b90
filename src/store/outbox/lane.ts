// The lines of the outbox: one for each channel, each mailbox that sends, each browser that gets pushes, and the desk's own mail server.

type PushLane = `push ${number}`;

/** A channel; a mailbox, as its id below zero; a browser; or null, the desk's own mail server. */
export type Lane = number | PushLane | null;

export const isPushLane = (lane: Lane): lane is PushLane => typeof lane === 'string';

export const isMailLane = (lane: Lane): boolean => !isPushLane(lane) && (lane === null || lane < 0);

/** The lane of mail that leaves through this mailbox's server. */
export const laneOfMailbox = (mailboxId: number | null): Lane => (mailboxId === null ? null : -mailboxId);

/** What waits in no line of mail has it as its mailbox. */
export const noMailbox = 0;

/** Each browser with queued pushes. */
export const pushLines = `push (id) AS (
    SELECT min(push_subscription_id) FROM deliveries INDEXED BY deliveries_of_pushes
    WHERE push_subscription_id > 0 AND status = 'queued'
    UNION ALL
    SELECT (SELECT min(push_subscription_id) FROM deliveries INDEXED BY deliveries_of_pushes
            WHERE push_subscription_id > push.id AND status = 'queued')
    FROM push WHERE push.id IS NOT NULL)`;

/** Each mailbox with queued mail, and null for the desk's own server. */
export const mailLines = `box (id) AS (
    SELECT min(mailbox_id) FROM deliveries INDEXED BY deliveries_due
    WHERE status = 'queued' AND channel_id IS NULL AND mailbox_id > 0
    UNION ALL
    SELECT (SELECT min(mailbox_id) FROM deliveries INDEXED BY deliveries_due
            WHERE status = 'queued' AND channel_id IS NULL AND mailbox_id > box.id)
    FROM box WHERE box.id IS NOT NULL)`;
