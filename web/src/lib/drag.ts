// Dragging a card, on top of tapping: about what a finger does, and nothing that tapping cannot.

const START = 9; // pixels; less is a tap

export interface DragEvents {
  onStart: () => void;
  /** Where the card was let go: the nearest element that names a target, if any. */
  onDrop: (target: string | null) => void;
  isOff: () => boolean;
}

const targetAt = (x: number, y: number): string | null =>
  (document.elementFromPoint(x, y)?.closest('[data-drop]') as HTMLElement | null)?.dataset.drop ?? null;

export function draggable(node: HTMLElement, events: DragEvents): { update: (next: DragEvents) => void; destroy: () => void } {
  let from: { x: number; y: number; pointer: number } | null = null;
  let isDragging = false;
  let swallowClick = false;

  function onDown(event: PointerEvent): void {
    if (event.button !== 0 || events.isOff()) return;
    from = { x: event.clientX, y: event.clientY, pointer: event.pointerId };
    addEventListener('pointermove', onMove);
    addEventListener('pointerup', onUp);
    addEventListener('pointercancel', onCancel);
  }

  function onMove(event: PointerEvent): void {
    if (!from || event.pointerId !== from.pointer) return;
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (!isDragging) {
      if (Math.hypot(dx, dy) < START) return;
      isDragging = true;
      node.dataset.dragging = '';
      events.onStart();
    }
    node.style.transform = `translate(${dx}px, ${dy}px) rotate(-2deg)`;
  }

  function onUp(event: PointerEvent): void {
    // Looked up before the card goes home: it must not lie in the way of what is under it.
    const target = isDragging ? targetAt(event.clientX, event.clientY) : null;
    const wasDragging = isDragging;
    end();
    if (!wasDragging) return;
    swallowClick = true;
    setTimeout(() => (swallowClick = false));
    events.onDrop(target);
  }

  const onCancel = (): void => end();
  const onClick = (event: MouseEvent): void => {
    if (swallowClick) event.stopImmediatePropagation();
  };

  function end(): void {
    from = null;
    isDragging = false;
    delete node.dataset.dragging;
    node.style.transform = '';
    removeEventListener('pointermove', onMove);
    removeEventListener('pointerup', onUp);
    removeEventListener('pointercancel', onCancel);
  }

  node.addEventListener('pointerdown', onDown);
  node.addEventListener('click', onClick, { capture: true });
  return {
    update: (next) => void (events = next),
    destroy() {
      end();
      node.removeEventListener('pointerdown', onDown);
      node.removeEventListener('click', onClick, { capture: true });
    },
  };
}
