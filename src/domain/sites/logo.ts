// A site's logo: which images it can be, told by their first bytes. Never SVG, which can hold scripts.

export const maxLogoBytes = 100 * 1024;

export const logoTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
export type LogoType = (typeof logoTypes)[number];

export interface Logo {
  contentType: LogoType;
  bytes: Uint8Array;
}

type Signature = readonly (number | null)[];
const ascii = (text: string): Signature => [...text].map((letter) => letter.charCodeAt(0));
const anyFour: Signature = [null, null, null, null];

const signatures: Record<LogoType, readonly Signature[]> = {
  'image/png': [[0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a, ...anyFour, ...ascii('IHDR')]],
  'image/jpeg': [[0xff, 0xd8, 0xff]],
  'image/webp': [[...ascii('RIFF'), ...anyFour, ...ascii('WEBPVP8')]],
  'image/gif': [ascii('GIF87a'), ascii('GIF89a')],
};

export function logoTypeOf(bytes: Uint8Array): LogoType | null {
  const begins = (signature: Signature) =>
    bytes.length > signature.length && signature.every((byte, at) => byte === null || bytes[at] === byte);
  return logoTypes.find((type) => signatures[type].some(begins)) ?? null;
}

const start = new RegExp(`^data:(${logoTypes.join('|')});base64,`);
const longestUrl = 'data:image/jpeg;base64,'.length + Math.ceil(maxLogoBytes / 3) * 4;

/** A `data:` URL as an image, or what is wrong with it. */
export function readLogo(url: string): Logo | string {
  const named = start.exec(url)?.[1];
  if (named === undefined) return 'must be a PNG, JPEG, WebP or GIF image as a data: URL in base64.';
  if (url.length > longestUrl) return `must have at most ${maxLogoBytes / 1024} KB.`;
  let bytes: Uint8Array;
  try {
    bytes = Uint8Array.fromBase64(url.slice(url.indexOf(',') + 1));
  } catch {
    return 'must be valid base64.';
  }
  if (bytes.length > maxLogoBytes) return `must have at most ${maxLogoBytes / 1024} KB.`;
  const contentType = logoTypeOf(bytes);
  if (contentType !== named) return 'must have the content that its type promises.';
  return { contentType, bytes };
}

export const logoUrl = ({ contentType, bytes }: Logo) => `data:${contentType};base64,${bytes.toBase64()}`;
