// Components whose code is loaded when they are first shown.

import { computed } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { announce } from '../../shared/notices.tsx';
import { confirmation, ended } from '../../shared/signed-in.ts';
import { keepEarlyKeys } from '../shortcuts/early-keys.ts';
import { isFirstShown, onDemandPart } from './load-part.ts';
import { t } from './messages.ts';

/** A page that cannot come before its agent has signed in does not hold that up. */
const canBegin = computed(() => isFirstShown.value || ended.value !== null || confirmation.value !== null);

/** @param onCancel of a dialog with a field, for which keys are kept until it is there */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  onCancel?: () => void,
): ComponentType<Props> {
  const { state, begin } = onDemandPart(load);
  return function OnDemand(props: Props) {
    const { value: found } = state;
    const isKeeping = onCancel !== undefined && found === null;
    const { value: mayBegin } = canBegin;
    useEffect(() => {
      if (mayBegin || isKeeping) void begin();
    }, [mayBegin, isKeeping]);
    useLayoutEffect(() => (isKeeping ? keepEarlyKeys(onCancel) : undefined), [isKeeping]);
    useEffect(() => {
      if (found !== 'failed') return;
      announce(t.partMissing, 'problem');
      onCancel?.();
    }, [found]);
    if (found === null || found === 'failed') return null;
    return <found.part {...props} />;
  };
}
