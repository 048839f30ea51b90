// What is wrong with a search, in the language of the reader.

import { now } from '../../shared/clock.ts';
import { longestSearch } from './address.ts';
import type { SearchProblem } from './language.ts';
import { t } from './messages.ts';
import { exampleDate } from './moment.ts';

const mostListed = 12;

function listed(good: readonly string[]): string {
  return good.slice(0, mostListed).join(', ') + (good.length > mostListed ? ', …' : '');
}

export function problemText({ code, key, value, good }: SearchProblem): string {
  switch (code) {
    case 'value_missing':
      return t.searchValueMissing(key);
    case 'value_unknown':
      return t.searchValueUnknown(value, key, listed(good));
    case 'several_match':
      return t.searchSeveralMatch(value);
    case 'not_a_date':
      return t.searchNotADate(value, exampleDate(now()));
    case 'not_a_tag':
      return t.searchNotATag(value);
    case 'not_an_address':
      return t.searchNotAnAddress(value);
    case 'only_once':
      return t.searchOnlyOnce(key);
    case 'assignee_and_none':
      return t.searchAssigneeAndNone;
    case 'no_exclusion':
      return t.searchNoExclusion(key);
    case 'key_unknown':
      return t.searchKeyUnknown(key, listed(good));
    case 'only_excluded':
      return t.searchOnlyExcluded;
    case 'too_long':
      return t.searchTooLong(longestSearch);
  }
}
