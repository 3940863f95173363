// One clock for all dots that blink, so that they blink together: 0.6 s on, 0.4 s faint.

const onMs = 600;
const offMs = 400;

export function startBlinking(root: HTMLElement): void {
  const on = (): void => {
    root.dataset.blink = 'on';
    setTimeout(off, onMs);
  };
  const off = (): void => {
    root.dataset.blink = 'off';
    setTimeout(on, offMs);
  };
  on();
}
