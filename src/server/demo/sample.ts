// The demo data, as sites.json has it: a text can hold choices such as {blue|red}, and each ticket made of a sample takes the next of them.

export type Turn = readonly [who: 'customer' | 'agent' | 'note', hoursLater: number, text: string];

export interface SampleTicket {
  subject: string;
  message: string;
  /** Of the customer who writes; English unless told. */
  language?: string;
  category: string;
  tags: readonly string[];
  /** 0 is the lowest priority of the site. */
  priority?: 0 | 1 | 2 | 3;
  turns: readonly Turn[];
  endsAs: 'open' | 'pending' | 'resolved';
  fields?: Readonly<Record<string, string | number | boolean>>;
  /** What the application says about the customer's device, with its console. */
  diagnostics?: 'web' | 'phone';
}

export interface SampleSite {
  name: string;
  slug: string;
  description: string;
  /** Of its brand. */
  color: string;
  timeZone: string;
  days: readonly string[];
  hours: readonly (readonly [string, string])[];
  categories: readonly string[];
  fields: readonly {
    key: string;
    label: string;
    type: 'text' | 'select' | 'boolean' | 'number';
    options?: string[];
  }[];
  app: string;
  customers: readonly (readonly [name: string, email: string, language: string])[];
  tickets: readonly SampleTicket[];
}

/** The text for the given time that a sample is used: every choice takes the same one, so that a ticket agrees with itself. */
export function withChoices(text: string, time: number): string {
  return text.replace(/\{([^{}]*)\}/g, (_, choices: string) => {
    const all = choices.split('|');
    return all[time % all.length] ?? '';
  });
}
