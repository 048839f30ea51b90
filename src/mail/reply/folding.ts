// Recognises header blocks, separators and signatures in linear time.

import { isMoment } from './attribution.ts';
import type { ReplyLibrary } from './library.ts';
import { unquoted } from './lines.ts';
import { copyLabels, danishOrNorwegian, type LabelLanguage, labelLanguages } from './quotes/header-labels.ts';
import {
  forwardedMessage,
  forwardPrefixes,
  norwegianForward,
  originalMessage,
  replyAbove,
} from './quotes/separators.ts';
import { devices, disclaimerWords, sendingEnds, sendingTails, sendingWords } from './quotes/signatures.ts';

type HeaderBlock = { lines: number; language: LabelLanguage };

/** A blank line must follow and no other label be near: otherwise it is a form, or a ticket from London to Paris. */
export function headerBlockAt(
  lines: readonly string[],
  at: number,
  library: ReplyLibrary,
  isAnswer: boolean,
): HeaderBlock | null {
  const first = labelOf(lines[at]!);
  if (first === null || copyLabels.includes(first.label)) return null;
  if (at > 0 && isOtherLabel(lines[at - 1]!)) return null;
  for (const language of labelLanguages) {
    const { end, values, unknown } = blockIn(language, lines, at);
    const isSeparate =
      end >= lines.length || unquoted(lines[end]!) === '' || isBelowRule(lines, at) || (isAnswer && isOfMail(values));
    const isWhole = values.has('from') && values.has('to') && values.has('subject');
    if (!isSeparate || !isWhole || !/\d/.test(values.get('date') ?? '')) continue;
    if (unknown === null || isSenderLabel(unknown, library)) return { lines: end - at, language };
  }
  return null;
}

/** Outlook's text has no blank line below the block. A form answers no mail, and a journey has no address. */
function isOfMail(values: ReadonlyMap<Kind, string>): boolean {
  const kinds = [...values.keys()].join(' ');
  return (
    kinds === 'from date to subject' &&
    isMoment(values.get('date')!) &&
    /[^\s<>@]@[^\s<>@]/.test(`${values.get('from')} ${values.get('to')}`)
  );
}

type Kind = 'from' | 'date' | 'to' | 'subject';
type Block = { end: number; values: Map<Kind, string>; unknown: string | null };

/** One unknown label can be a sender that the library knows. */
function blockIn(language: LabelLanguage, lines: readonly string[], at: number): Block {
  const values = new Map<Kind, string>();
  let unknown: string | null = null;
  let end = at;
  for (; end < Math.min(at + 14, lines.length); end++) {
    const line = lines[end]!;
    const label = labelOf(line);
    if (label === null) {
      if (end === at || line.trim() === '' || !/@|^\s/.test(line)) break;
      continue;
    }
    if (copyLabels.includes(label.label)) continue;
    const kind = kindOf(label.label, language) ?? 'from';
    if (values.has(kind)) break;
    if (kind === 'from' && !language.from.includes(label.label)) unknown = label.label;
    values.set(kind, label.value);
  }
  return { end, values, unknown };
}

/** Senders have many forms, so the library is asked about the label only. */
function isSenderLabel(label: string, library: ReplyLibrary): boolean {
  return library.isHead(`${label.slice(0, 1).toUpperCase()}${label.slice(1)}: Name <a@b>`);
}

/** Outlook on the web draws a rule above the block. */
function isBelowRule(lines: readonly string[], at: number): boolean {
  const above = [lines[at - 1], lines[at - 2]].find((line) => line !== undefined && line.trim() !== '');
  return above !== undefined && /^[_-]{10,200}$/.test(above.trim());
}

function isOtherLabel(line: string): boolean {
  const label = labelOf(line);
  if (label === null || label.value.trim() === '') return false;
  return (
    !copyLabels.includes(label.label) && labelLanguages.every((language) => kindOf(label.label, language) === null)
  );
}

function labelOf(line: string): { label: string; value: string } | null {
  const colon = line.slice(0, 48).search(/[:：]/);
  if (colon < 1) return null;
  const match = /^\s{0,8}[*_]{0,2}([^:：*_<>@/]{1,20}?)\s{0,3}[*_]{0,2}\s?[:：][*_]{0,2}(.{0,200})/.exec(
    unquoted(line).slice(0, 260),
  );
  return match === null ? null : { label: match[1]!.trim().toLowerCase(), value: match[2]! };
}

function kindOf(label: string, language: LabelLanguage): Kind | null {
  if (language.from.includes(label)) return 'from';
  if (language.date.includes(label)) return 'date';
  if (language.to.includes(label)) return 'to';
  return language.subject.includes(label) ? 'subject' : null;
}

/** What the library knows only between dashes is a separator, not an attribution. */
export function isOriginalSeparator(line: string, library: ReplyLibrary): boolean {
  const words = betweenDashes(line);
  if (words === null || words === '' || words.length > 40) return false;
  const plain = words.replaceAll('’', "'");
  if (!/[-–—_=*]{2}\s{0,9}$/.test(line)) return originalMessage.includes(plain);
  return (library.isHead(`-----${plain}-----`) && !library.isHead(plain)) || originalMessage.includes(plain);
}

export function isTitle(line: string): boolean {
  const text = unquoted(line);
  return (
    text.length <= 120 && /^[-–—_]{3}.*[-–—_]{3}$/.test(text) && (betweenDashes(text) ?? '').split(' ').length <= 3
  );
}

export function isForwardSeparator(line: string): boolean {
  const text = unquoted(line);
  if (text.length > 120) return false;
  const words = betweenDashes(line) ?? (/[:：]$/.test(text) ? text.slice(0, -1).trim().toLowerCase() : null);
  return words !== null && forwardedMessage.some((phrase) => words === phrase || words.startsWith(`${phrase} `));
}

function betweenDashes(line: string): string | null {
  const text = unquoted(line);
  if (text.length > 120 || !/^[-–—_=*]{2}/.test(text)) return null;
  return text
    .replace(/^[-–—_=*\s]+/, '')
    .replace(/[-–—_=*:\s]+$/, '')
    .toLowerCase();
}

/** Some prefixes mean a forward in one language only. */
export function isForwardSubject(subject: string, language?: LabelLanguage): boolean {
  const prefix = /^\s{0,5}(?:\[[^\]]{0,60}\]\s{0,3})?([^:：\s]{1,10}(?: enc)?)\s{0,2}[:：]/
    .exec(subject.slice(0, 120))?.[1]
    ?.toLowerCase();
  if (prefix === undefined) return false;
  return forwardPrefixes.includes(prefix) || (prefix === norwegianForward && language?.code === danishOrNorwegian);
}

export function isReplyAbove(line: string): boolean {
  const text = line.trim();
  return text.length <= 200 && replyAbove.some((pattern) => pattern.test(text));
}

export function isMobileSignature(line: string, library: ReplyLibrary): boolean {
  const text = line.trim().replace(/^[-–—*_\s]{0,4}/, '');
  if (text.length === 0 || text.length > 300) return false;
  const bare = text
    .replace(/\s{0,3}[<[(]?https?:\/\/\S{1,200}$/, '')
    .replace(/[.!。*_]{1,3}$/, '')
    .trim();
  const words = bare.toLowerCase();
  if (bare.length > 100 || words.split(/\s+/).length > 12) return false;
  const end = [...sendingEnds, ...sendingTails].find((each) => words.endsWith(each)) ?? '';
  if (!endsInDevice(words.slice(0, words.length - end.length).trim())) return false;
  return (
    library.isSignature(bare) || sendingEnds.includes(end) || sendingWords.some((opening) => words.startsWith(opening))
  );
}

/** "iPhone", "iPhonesta", "iPhone 12 Pro", "我的iPhone", but not a word that contains one. */
function endsInDevice(text: string): boolean {
  return devices.some((device) => {
    const from = text.lastIndexOf(device);
    if (from < 0 || /[\p{Script=Latin}\p{Script=Cyrillic}]$/u.test(text.slice(0, from))) return false;
    return /^\S{0,12}(\s(\S{0,6}\d\S{0,6}|pro|max|plus|ultra|mini|air)){0,3}$/.test(text.slice(from + device.length));
  });
}

export function isDisclaimer(paragraph: string): boolean {
  if (paragraph.length < 60) return false;
  const text = paragraph.slice(0, 5000).toLowerCase();
  return disclaimerWords.some((words) => words.filter((word) => text.includes(word)).length >= 2);
}
