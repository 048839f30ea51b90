// Which files a site takes, by whom they come: the lists of types, the limits, and the words of a refusal.

import { conflict, type DeskError } from '../errors.ts';
import type { SiteSettings } from '../sites/site.ts';

/** What customers can always send through an application or a page. */
const customerTypes = ['jpg', 'jpeg', 'png', 'gif', 'pdf', 'doc', 'docx', 'txt'] as const;

/** Programs, scripts and what starts them, on any system: refused from everyone unless a site has a list of its own. */
const defaultRefusedTypes: readonly string[] = (
  'ade adp apk app appimage appref-ms appx appxbundle bat cab chm cmd com command cpl deb desktop dll dmg exe gadget ' +
  'hta img inf ins iqy iso isp jar jnlp js jse ksh lib library-ms lnk mde mjs msc msh msi msix msixbundle msp mst nsh one ' +
  'osx pif pkg prg ps1 ps1xml ps2 psc1 psd1 psm1 py pyc reg rpm run scf scr sct settingcontent-ms sh slk sys ' +
  'url vb vbe vbs vhd vhdx vxd wsc wsf wsh xbap xll'
).split(' ');

/** Browsers show these and PDFs; every other file is only ever saved. */
export const imageTypes: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
export const pdfType = 'application/pdf';

export const megabyte = 1024 * 1024;
/** Beyond it, memory would not be bounded: a mail is made and read with its files in memory. */
export const mostFileMegabytes = 25;

/** `unchecked`: the scanner could not judge it, and its site shows it all the same. */
export const scanStatuses = ['waiting', 'clean', 'infected', 'unchecked'] as const;
export type ScanStatus = (typeof scanStatuses)[number];

/** Null for one that was never to be scanned. */
export interface Scan {
  scanStatus: ScanStatus | null;
  scanFound: string | null;
}

export interface FileRules {
  /** Null for every type that is not refused. */
  types: readonly string[] | null;
  refused: readonly string[];
  maxBytes: number;
}

/** A file of a mail that is not kept, and why, in the words that agents read. */
export interface RefusedFile {
  name: string;
  why: string;
}

/** The text of a mail whose only words are in a file that the desk cannot read. */
export const textWithin = (filename: string) =>
  `(no text: what was written is in ${filename}, which the desk cannot read)`;

type FileSettings = Pick<
  SiteSettings,
  'attachment_types' | 'refused_attachment_types' | 'attachment_max_mb' | 'mail_attachment_max_mb'
>;

export const refusedTypes = (settings: Pick<FileSettings, 'refused_attachment_types'>) =>
  settings.refused_attachment_types ?? defaultRefusedTypes;

export function customersRules(settings: FileSettings): FileRules & { types: readonly string[] } {
  const { attachment_types: more } = settings;
  return { ...agentsRules(settings), types: [...new Set([...customerTypes, ...more])] };
}

export function agentsRules(settings: FileSettings): FileRules {
  return { types: null, refused: refusedTypes(settings), maxBytes: settings.attachment_max_mb * megabyte };
}

export function mailRules(settings: FileSettings): FileRules {
  return { ...agentsRules(settings), maxBytes: settings.mail_attachment_max_mb * megabyte };
}

export function extensionOf(filename: string): string {
  const dot = filename.lastIndexOf('.');
  return dot < 1 ? '' : filename.slice(dot + 1).toLowerCase();
}

/** Null when the name is taken. */
export function typeRefusal(filename: string, { types, refused }: FileRules): 'refused' | 'not_listed' | null {
  const extension = extensionOf(filename);
  if (refused.includes(extension)) return 'refused';
  return types === null || types.includes(extension) ? null : 'not_listed';
}

/** By its bytes, a program of the kind `ending`. A site that takes either kind by name takes it. */
export function isRefusedProgram(filename: string, ending: string | null, { refused }: FileRules): boolean {
  return ending !== null && refused.includes(ending) && !defaultRefusedTypes.includes(extensionOf(filename));
}

/** What is wrong with a site's lists, by setting. */
export function listFaults(settings: FileSettings): Record<string, string[]> {
  const refused = refusedTypes(settings);
  const always = customerTypes.filter((type) => refused.includes(type));
  const both = settings.attachment_types.filter((type) => refused.includes(type));
  return {
    ...(always.length > 0 && {
      refused_attachment_types: [`must not have types that customers can always send: ${always.join(', ')}.`],
    }),
    ...(both.length > 0 && {
      attachment_types: [`must not have refused types: ${both.join(', ')}.`],
    }),
  };
}

/** Null when the file can be read. */
export function withheld({ scanStatus, scanFound }: Scan): DeskError | null {
  if (scanStatus === 'waiting') return conflict('This file is being checked for viruses.', 'attachment_unchecked');
  return scanStatus === 'infected' ? conflict(`This file is infected: ${scanFound}.`, 'attachment_infected') : null;
}

export function requireNoneInfected(files: readonly (Scan & { filename: string })[]): void {
  const infected = files.find(({ scanStatus }) => scanStatus === 'infected');
  if (infected) throw conflict(`${infected.filename} is infected: ${infected.scanFound}.`, 'attachment_infected');
}
