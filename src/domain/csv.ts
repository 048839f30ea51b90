// Comma-separated values (RFC 4180) that a spreadsheet opens as text and never as formulas.

// Also the full-width forms, which spreadsheets take for the same.
const formula = /^[=+\-@\t\r\n＝＋－＠]/u;

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line with its end. Text that begins like a formula gets an apostrophe in front. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}
