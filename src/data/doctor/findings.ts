// What an examination has found so far, and what of it is repaired.

import { areas, type FindingCode, findingKinds, type Kind } from '../../domain/findings.ts';

export interface Finding {
  code: FindingCode;
  area: string;
  level: 'wrong' | 'notice';
  meaning: string;
  canFix: boolean;
  /** The command that helps, where --fix does not. */
  run: string | null;
  count: number;
  fixed: number;
  examples: string[];
}

const maxExamples = 10;

export interface Findings {
  /** Whether it is to be repaired. */
  fixes(code: FindingCode): boolean;
  note(code: FindingCode, example: string, how?: { count?: number; isFixed?: boolean }): void;
  all(): Finding[];
}

export function createFindings(fixes: Findings['fixes']): Findings {
  const found = new Map<FindingCode, Finding>();
  return {
    fixes,
    note(code, example, { count = 1, isFixed = false } = {}) {
      const [area, level, meaning, remedy]: Kind = findingKinds[code];
      const finding = found.get(code) ?? {
        code,
        area,
        level,
        meaning,
        canFix: remedy === 'fix',
        run: remedy === 'fix' || remedy === undefined ? null : remedy,
        count: 0,
        fixed: 0,
        examples: [],
      };
      finding.count += count;
      if (isFixed) finding.fixed += count;
      if (finding.examples.length < maxExamples && example !== '') finding.examples.push(example);
      found.set(code, finding);
    },
    all: () => [...found.values()].sort((a, b) => areas.indexOf(a.area as never) - areas.indexOf(b.area as never)),
  };
}

/** Notices, and what --fix repaired, do not count. */
export function isSound(findings: readonly Finding[]): boolean {
  return findings.every(({ level, count, fixed }) => level === 'notice' || fixed === count);
}
