// A text that says that a file comes with it.

import { expect, test } from 'bun:test';
import { announcesFile } from '../../../src/web/console/composer/announced-file.ts';

test.each([
  'I have attached the invoice.',
  'See the attachment',
  'De factuur vindt u in de bijlage.',
  'Anbei die Rechnung',
  'Die Rechnung ist angehängt.',
  'Vous trouverez la facture ci-jointe.',
  'La facture est en pièce jointe.',
  'Le envío la factura adjunta.',
])('%p says so', (text) => {
  expect(announcesFile(text)).toBe(true);
});

test.each([
  'Please send us the invoice.',
  '> I have attached the invoice.\nThanks!',
  'Bitte hängen Sie nichts an.',
  '',
])('%p does not', (text) => {
  expect(announcesFile(text)).toBe(false);
});
