// Components whose code is loaded when they are first shown.

import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { announce } from '../../shared/notices.tsx';
import { laterPart } from './load-part.ts';
import { t } from './messages.ts';

export function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const { state, begin } = laterPart(load);
  return function OnDemand(props: Props) {
    const { value: found } = state;
    useEffect(() => void begin(), []);
    useEffect(() => {
      if (found === 'failed') announce(t.partMissing, 'problem');
    }, [found]);
    if (found === null || found === 'failed') return null;
    return <found.part {...props} />;
  };
}
