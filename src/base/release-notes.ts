// What changed in each version, from the change log of this executable.

import text from '../../CHANGELOG.md' with { type: 'text' };

interface Release {
  /** Such as "0.2.0 - 2026-11-23". */
  title: string;
  groups: { title: string; lines: string[] }[];
}

function releaseIn(section: string): Release {
  const [head = '', ...groups] = section.split(/^### /m);
  return {
    title: head.split('\n', 1)[0]?.trim() ?? '',
    groups: groups.map((group) => {
      const [title = '', ...rest] = group.split(/\n+(?=- |\n|$)/);
      return {
        title: title.trim(),
        lines: rest.filter((line) => line.startsWith('- ')).map((line) => line.slice(2).trim()),
      };
    }),
  };
}

/** Newest first: those after `previous`, or without it only the newest version, with what is not released yet. */
export function releasesSince(previous: string | null, whole: string = text): Release[] {
  const [, ...sections] = whole.split(/^## /m);
  const releases = sections.map(releaseIn);
  const isOf = (version: string) => (release: Release) => release.title.split(' ')[0] === version;
  const before = previous === null ? -1 : releases.findIndex(isOf(previous));
  const newest = releases.findIndex(({ title }) => /^\d/.test(title));
  return releases.slice(0, before === -1 ? newest + 1 : before);
}
