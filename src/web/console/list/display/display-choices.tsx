// Density and columns, as they are chosen.

import { useId } from 'preact/hooks';
import { Button } from '../../../shared/button.tsx';
import { Icon } from '../../../shared/icons.tsx';
import { t } from '../../on-demand-messages.ts';
import { columnName } from '../rows/column-names.ts';
import { type Column, columnKeys } from '../rows/columns.ts';
import {
  chooseDensity,
  chosenColumns,
  type Density,
  density,
  moveColumn,
  resetColumns,
  toggleColumn,
} from './display.ts';

export function DisplayChoices() {
  const name = useId();
  const densities: [Density, string][] = [
    ['comfortable', t.comfortable],
    ['compact', t.compact],
  ];
  const chosen = chosenColumns.value;
  const hidden = columnKeys.filter((column) => !chosen.includes(column));
  return (
    <>
      <fieldset class="density">
        <legend>{t.listDensity}</legend>
        {densities.map(([one, text]) => (
          <label key={one} class="choice">
            <input type="radio" name={name} checked={density.value === one} onChange={() => chooseDensity(one)} />
            <span>{text}</span>
          </label>
        ))}
      </fieldset>
      <fieldset class="columns">
        <legend>{t.columns}</legend>
        <ul>
          {[...chosen, ...hidden].map((column) => (
            <ColumnChoice key={column} column={column} chosen={chosen} />
          ))}
        </ul>
      </fieldset>
      <Button kind="quiet" onClick={resetColumns}>
        {t.resetColumns}
      </Button>
    </>
  );
}

function ColumnChoice({ column, chosen }: { column: Column; chosen: readonly Column[] }) {
  const at = chosen.indexOf(column);
  const name = columnName(column);
  return (
    <li>
      <label class="choice">
        <input
          type="checkbox"
          checked={at !== -1}
          disabled={column === 'subject'}
          onChange={() => toggleColumn(column)}
        />
        <span>{name}</span>
      </label>
      {at !== -1 && (
        <>
          <button
            type="button"
            class="icon-button up"
            aria-label={t.moveColumnUp(name)}
            disabled={at === 0}
            onClick={() => moveColumn(column, -1)}
          >
            <Icon name="chevron" />
          </button>
          <button
            type="button"
            class="icon-button"
            aria-label={t.moveColumnDown(name)}
            disabled={at === chosen.length - 1}
            onClick={() => moveColumn(column, 1)}
          >
            <Icon name="chevron" />
          </button>
        </>
      )}
    </li>
  );
}
