// What the desk writes into the headers of its mail for itself.

/** The Message-ID that the desk gave the mail: some servers replace it, and say so nowhere when the mail comes back. */
export const mailHeader = 'x-helpdesk-mail';
