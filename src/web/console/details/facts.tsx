// Names with values, which may be of any shape: what applications and rules sent along.

import type { ComponentChildren } from 'preact';

export function Facts({ facts }: { facts: readonly (readonly [name: string, value: unknown])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <Fact key={name} name={name}>
          {typeof value === 'object' && value !== null ? (
            <pre class="fact-data" dir="ltr">
              {JSON.stringify(value, null, 2)}
            </pre>
          ) : (
            <span dir="auto">{String(value)}</span>
          )}
        </Fact>
      ))}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
