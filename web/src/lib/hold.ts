// "Hold to draw": an option against slips. A tap does nothing but say so; keys work as always.

export const HOLD_MS = 450;

export interface HoldEvents {
  isOn: () => boolean;
  onDone: () => void;
  onTooShort: () => void;
}

export function holdable(node: HTMLElement, events: HoldEvents): { update: (next: HoldEvents) => void; destroy: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDone = false;

  const onDown = (): void => {
    isDone = false;
    if (!events.isOn()) return;
    node.dataset.holding = '';
    timer = setTimeout(() => {
      isDone = true;
      events.onDone();
    }, HOLD_MS);
  };
  const onEnd = (): void => {
    clearTimeout(timer);
    delete node.dataset.holding;
  };
  const onClick = (event: MouseEvent): void => {
    onEnd();
    if (isDone) isDone = false;
    else if (events.isOn() && event.detail > 0) events.onTooShort(); // detail 0: a key or a screen reader pressed it
    else events.onDone();
  };

  const listeners = [['pointerdown', onDown], ['pointerleave', onEnd], ['pointercancel', onEnd], ['click', onClick]] as const;
  for (const [name, listener] of listeners) node.addEventListener(name, listener as EventListener);
  return {
    update: (next) => void (events = next),
    destroy() {
      onEnd();
      for (const [name, listener] of listeners) node.removeEventListener(name, listener as EventListener);
    },
  };
}
