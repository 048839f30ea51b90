// Finds functions and classes whose bodies are too long to read at one go.

import { codeOnly } from './source-rules.ts';

/** The end of what stands before the brace of a function or a class: a parameter list, an arrow, or `class A …`. */
const opensBody = /(?:\)\s*(?::[^;=]*)?|=>\s*|\bclass\b[^;{}()]*)$/;
/** These also have a parenthesis before their brace. */
const opensBlock = /\b(?:if|for|while|switch|catch)\s*(?:await\s*)?\($/;

/** The text before the parenthesis that the one at `end` closes, the parenthesis included. */
function beforeParenthesis(code: string, end: number): string {
  let depth = 0;
  for (let at = end; at >= 0; at -= 1) {
    if (code[at] === ')') depth += 1;
    if (code[at] === '(') depth -= 1;
    if (depth === 0) return code.slice(Math.max(0, at - 40), at + 1);
  }
  return '';
}

function isBody(code: string, brace: number): boolean {
  const before = code.slice(Math.max(0, brace - 400), brace);
  if (!opensBody.test(before)) return false;
  const trimmed = before.trimEnd();
  return (
    !trimmed.endsWith(')') || !opensBlock.test(beforeParenthesis(code, brace - (before.length - trimmed.length) - 1))
  );
}

/** @returns `path:line: lines` for each body of more than `most` lines, braces included */
export function longBodies(path: string, text: string, most: number): string[] {
  const code = codeOnly(text);
  const open: { at: number; line: number }[] = [];
  const found: string[] = [];
  let line = 1;
  for (let at = 0; at < code.length; at += 1) {
    const char = code[at];
    if (char === '\n') line += 1;
    if (char === '{') open.push({ at, line });
    if (char !== '}') continue;
    const start = open.pop();
    if (start === undefined) continue;
    const lines = line - start.line + 1;
    if (lines > most && isBody(code, start.at)) found.push(`${path}:${start.line}: ${lines} lines`);
  }
  return found;
}
