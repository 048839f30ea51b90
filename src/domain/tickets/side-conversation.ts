// Side conversations: what agents and people outside write to each other about a ticket, unseen by its customer.

export const sideLimits = { people: 10, onTicket: 50, messages: 500, quotedMessages: 30, quotedCharacters: 50_000 };
