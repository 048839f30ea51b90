// Error messages about one field, such as "The subject field is required."

const verbs = /^(?:must|may|can|cannot|does|is|has|names|needs|leaves|overlaps|takes)\b/i;
const maxLabelCharacters = 64;

function labelOf(path: string): string {
  const name = path.split('.').findLast((part) => !/^\d*$/.test(part)) ?? 'value';
  return Array.from(name.replaceAll(/[_-]+/g, ' ').trim() || 'value')
    .slice(0, maxLabelCharacters)
    .join('');
}

/** @param message starts with its verb, such as "must be a text."; any other sentence follows the name of the field */
export function fieldMessage(path: string, message: string): string {
  const field = `The ${labelOf(path)} field`;
  if (message.startsWith(`${field} `)) return message;
  const said = message.charAt(0).toLowerCase() + message.slice(1);
  if (verbs.test(said)) return `${field} ${said}`;
  if (said.startsWith('at most ')) return `${field} must have ${said}`;
  if (said.startsWith('at least ')) return `${field} must have ${said}`;
  return `${field} is refused: ${message}`;
}
