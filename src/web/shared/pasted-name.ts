// The names of files that come without a useful one, such as a picture from the clipboard.

const endings: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** Browsers call every pasted picture `image.png`: this says when it was pasted instead. */
export function pastedName(name: string, type: string, now: Date): string {
  const ending = endings[type];
  if (ending === undefined || !/^(?:image|blob)?(?:\.\w+)?$/i.test(name)) return name === '' ? 'file' : name;
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  return `screenshot ${day} ${two(now.getHours())}.${two(now.getMinutes())}.${two(now.getSeconds())}.${ending}`;
}
