// Halden Bikes: a web shop with customers in English, German and Dutch.

import type { DemoSite } from './story.ts';

export const bikes: DemoSite = {
  name: 'Halden Bikes',
  slug: 'halden-bikes',
  description: 'Bicycles and parts, sent all over Europe.',
  color: '#b45309',
  timeZone: 'Europe/Amsterdam',
  days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
  hours: [['09:00', '18:00']],
  categories: ['Orders', 'Returns', 'Invoices', 'Workshop'],
  fields: [
    { key: 'order', label: 'Order number', type: 'text' },
    { key: 'bike', label: 'Bike', type: 'select', options: ['Fjord', 'Tarn', 'Ravel', 'Kestrel'] },
  ],
  app: 'halden-shop',
  customers: [
    ['Mia Jansen', 'mia.jansen@example.org', 'nl'],
    ['Lukas Brandt', 'lukas.brandt@example.net', 'de'],
    ['Grace Okafor', 'grace.okafor@example.org', 'en'],
    ['Sanne de Wit', 'sanne@example.com', 'nl'],
    ['Tom Whitaker', 'tom.whitaker@example.net', 'en'],
    ['Annika Vogel', 'annika.vogel@example.com', 'de'],
    ['Pieter Bakker', 'pieter.bakker@example.org', 'nl'],
    ['Priya Nair', 'priya.nair@example.com', 'en'],
    ['Jonas Keller', 'jonas.keller@example.net', 'de'],
    ['Ellen Park', 'ellen.park@example.org', 'en'],
    ['Noah Reed', 'noah.reed@example.com', 'en'],
  ],
  stories: [
    {
      subject: 'Invoice for order {HB-20417|HB-20533|HB-20698|HB-20711} has the wrong address',
      message:
        'Hello,\n\nThe invoice for order {HB-20417|HB-20533|HB-20698|HB-20711} still has my old address. My accountant needs the new one: {14 Canal Street, Leeds|Lange Gasse 3, Wien|8 Mill Lane, Cork|21 Rosewood Road, Bath}.\n\nCould you send it again?',
      category: 'Invoices',
      tags: ['invoice'],
      fields: { order: '{HB-20417|HB-20533|HB-20698|HB-20711}' },
      turns: [
        [
          'agent',
          3,
          'Of course. I have corrected the address and attached nothing else to it: you will find the new invoice in your account under Orders.',
        ],
        ['customer', 5, 'Found it, thank you very much!'],
      ],
      endsAs: 'resolved',
    },
    {
      subject: 'Charged twice for {a rear light|two inner tubes|a helmet|a pannier}',
      message: 'My card shows two payments of the same amount on the same day, but I ordered only once.',
      category: 'Invoices',
      tags: ['refund', 'payment'],
      priority: 2,
      turns: [
        ['note', 1, 'The payment provider shows one capture and one reservation. Same pattern as last Tuesday.'],
        [
          'agent',
          2,
          'The second amount is a reservation that your bank releases within **three working days**. We took the money only once.\n\nIf it is still there on Friday, answer here and I will call the provider.',
        ],
      ],
      endsAs: 'pending',
    },
    {
      subject: 'The {Fjord|Tarn|Ravel|Kestrel} creaks when I pedal uphill',
      message:
        'I have had my {Fjord|Tarn|Ravel|Kestrel} for three weeks. Since Saturday it creaks at every turn of the pedals, but only uphill. Is this something that I can fix myself?',
      category: 'Workshop',
      tags: ['bottom-bracket'],
      fields: { bike: '{Fjord|Tarn|Ravel|Kestrel}' },
      turns: [
        [
          'agent',
          4,
          'That is most often the bottom bracket. Three things to check, in this order:\n\n1. Tighten the crank bolts to 45 Nm.\n2. Clean and grease the pedal threads.\n3. Ride out of the saddle. If it is silent then, it is the seat post.',
        ],
        ['customer', 26, 'It was the seat post! Two minutes with some grease. You saved my weekend.'],
      ],
      endsAs: 'resolved',
    },
    {
      subject: 'Wann kommt meine Bestellung {HB-20811|HB-20846|HB-20902|HB-20954}?',
      message:
        'Guten Tag,\n\nlaut Sendungsverfolgung liegt mein Paket seit {Montag|Dienstag|Mittwoch|Donnerstag} im Verteilzentrum. Können Sie bitte nachfragen?\n\nMit freundlichen Grüßen',
      language: 'de',
      category: 'Orders',
      tags: ['shipping', 'german'],
      fields: { order: '{HB-20811|HB-20846|HB-20902|HB-20954}' },
      turns: [
        ['note', 2, 'Carrier says the label could not be read. They will print a new one tonight.'],
        [
          'agent',
          3,
          'Guten Tag,\n\nder Aufkleber war nicht lesbar. Der Paketdienst druckt ihn heute neu, und morgen geht das Paket weiter.',
        ],
      ],
      endsAs: 'pending',
    },
    {
      subject: 'Verkeerde maat ontvangen: {jas|helm|handschoenen|broek} in plaats van {M|L|S|XL}',
      message:
        'Hallo, ik heb de verkeerde maat gekregen. Op de factuur staat de goede. Kan ik ruilen zonder verzendkosten?',
      language: 'nl',
      category: 'Returns',
      tags: ['exchange', 'dutch'],
      turns: [
        [
          'agent',
          6,
          'Hallo! Natuurlijk, de fout ligt bij ons. Je krijgt vandaag een retourlabel, en de goede maat gaat direct op de post.',
        ],
        ['customer', 20, 'Super snel, dank je wel!'],
      ],
      endsAs: 'resolved',
    },
    {
      subject: 'Battery of the {Fjord|Tarn|Ravel|Kestrel} E stops at 40 %',
      message: 'The display says 40 %, and then the motor turns off. This is not safe in traffic. What now?',
      category: 'Workshop',
      tags: ['battery', 'safety'],
      priority: 3,
      fields: { bike: '{Fjord|Tarn|Ravel|Kestrel}' },
      turns: [
        ['note', 1, 'Second one from batch 2214. I have told the supplier. @Noor Visser, shall we call the others?'],
      ],
      endsAs: 'open',
    },
    {
      subject: 'Can I change the delivery address?',
      message:
        'I will be at my sister’s from Thursday. Can you send order {HB-21007|HB-21019|HB-21044|HB-21102} to {Hull|Gent|Kiel|Graz} instead?',
      category: 'Orders',
      tags: ['shipping'],
      turns: [],
      endsAs: 'open',
    },
    {
      subject: 'Return of a {saddle|handlebar|wheel set|child seat} that was never used',
      message: 'I ordered the wrong one. It is still in its box. How do I send it back, and who pays for it?',
      category: 'Returns',
      tags: ['return'],
      priority: 0,
      turns: [
        ['agent', 5, 'You have 60 days, and the return is free. The label is in your account under Orders, Return.'],
      ],
      endsAs: 'resolved',
    },
    {
      subject: 'Checkout says “Unknown error” with {a gift card|PayPal|iDEAL|a voucher}',
      message: 'I tried three times. At the last step it says “Unknown error” and my basket is empty again.',
      category: 'Orders',
      tags: ['bug', 'checkout'],
      priority: 2,
      diagnostics: 'web',
      turns: [['note', 0.5, 'I can reproduce it: the voucher endpoint answers 500 when the basket holds a bundle.']],
      endsAs: 'open',
    },
    {
      subject: 'Do you have the {Ravel|Kestrel|Fjord|Tarn} in {dark green|petrol|sand|black}?',
      message: 'The shop shows it as sold out. Will it come back this year?',
      category: 'Orders',
      tags: ['stock'],
      priority: 0,
      turns: [
        [
          'agent',
          8,
          'Yes, in about three weeks. Shall I reserve one for you? It costs nothing and binds you to nothing.',
        ],
        ['customer', 30, 'Yes please, frame size 54.'],
      ],
      endsAs: 'open',
    },
    {
      subject: 'Gutschein {FRUEHLING|HERBST|WINTER|SOMMER} wird nicht angenommen',
      message: 'Der Gutschein aus dem Newsletter wird an der Kasse abgelehnt. Er soll bis Ende des Monats gelten.',
      language: 'de',
      category: 'Orders',
      tags: ['voucher', 'german'],
      turns: [
        [
          'agent',
          2,
          'Entschuldigung, der Code war nur für die Niederlande freigeschaltet. Jetzt gilt er auch bei Ihnen.',
        ],
      ],
      endsAs: 'resolved',
    },
  ],
};
