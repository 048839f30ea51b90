// A field of a form that takes people: chips, with completion from the people of the site.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { describedBy, FieldNotes } from '../../shared/field.tsx';
import { PersonChip } from '../composer/recipients.tsx';
import { AddPerson, type NamedAddress } from './add-person.tsx';

interface PeopleFieldProps {
  id: string;
  label: string;
  /** What adding someone is called, and what the control shows of it. */
  add: string;
  addText: string;
  siteId: number;
  people: readonly NamedAddress[];
  /** Addresses that cannot be chosen. */
  without: readonly string[];
  /** How many there can be. */
  most: number;
  hint: string;
  problem: string | undefined;
  /** Has the focus when its dialog opens. */
  isFirst?: boolean;
  onChange: (people: readonly NamedAddress[]) => void;
}

export function PeopleField(props: PeopleFieldProps) {
  const { id, label, add, addText, siteId, people, without, most, hint, problem, onChange } = props;
  const field = useRef<HTMLFieldSetElement>(null);
  useLayoutEffect(() => {
    const adder = field.current?.querySelector<HTMLElement>('[role=combobox]');
    if (props.isFirst && adder) adder.autofocus = true;
  }, []);
  return (
    <fieldset ref={field} class="field" aria-describedby={describedBy(id, hint, problem)}>
      <legend>{label}</legend>
      <div class="recipients">
        {people.map((person) => (
          <PersonChip
            key={person.email}
            person={person}
            isOnly={false}
            isOut={false}
            onToggle={() => onChange(people.filter((one) => one !== person))}
          />
        ))}
        {people.length < most && (
          <AddPerson
            siteId={siteId}
            label={add}
            without={[...people.map(({ email }) => email), ...without]}
            onAdd={(person) => onChange([...people, person])}
          >
            {addText}
          </AddPerson>
        )}
      </div>
      <FieldNotes id={id} hint={hint} problem={problem} />
    </fieldset>
  );
}
