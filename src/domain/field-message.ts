// The one place that says which field a message is about: "The subject field is required."

const verbs = /^(?:must|may|is|has|names|needs|leaves|takes)\b/i;
const maxLabelCharacters = 64;

/** The last part of a dotted path that is no position in a list, in words: `custom_fields.order_number` is "order number". */
function labelOf(path: string): string {
  const name = path.split('.').findLast((part) => !/^\d*$/.test(part)) ?? 'value';
  return Array.from(name.replaceAll(/[_-]+/g, ' ').trim() || 'value')
    .slice(0, maxLabelCharacters)
    .join('');
}

/**
 * The whole sentence about the field at a path.
 * @param message what is said about it, best from its verb on: "must be a text."; a sentence of its own is put behind the name
 */
export function fieldMessage(path: string, message: string): string {
  const field = `The ${labelOf(path)} field`;
  if (message.startsWith(`${field} `)) return message;
  const said = message.charAt(0).toLowerCase() + message.slice(1);
  if (verbs.test(said)) return `${field} ${said}`;
  if (said.startsWith('at most ')) return `${field} may have ${said}`;
  if (said.startsWith('at least ')) return `${field} must have ${said}`;
  return `${field} is refused: ${message}`;
}
