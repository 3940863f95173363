// Moves the focus from block to block: left and right in a row, up and down to the block at the same time. Pure.

import type { Block } from './blocks.ts';

export type Direction = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

export function isDirection(key: string): key is Direction {
  return key === 'ArrowLeft' || key === 'ArrowRight' || key === 'ArrowUp' || key === 'ArrowDown';
}

/** Returns the block to go to; undefined at an edge. `rows` are the blocks of each group, in the order of the screen. */
export function nextBlock(rows: readonly (readonly Block[])[], key: string, direction: Direction): Block | undefined {
  const row = rows.findIndex((blocks) => blocks.some((block) => block.key === key));
  const blocks = rows[row]?.toSorted((one, other) => one.left - other.left || one.lane - other.lane) ?? [];
  const index = blocks.findIndex((block) => block.key === key);
  const current = blocks[index];
  if (current === undefined) return undefined;
  switch (direction) {
    case 'ArrowLeft':
      return blocks[index - 1];
    case 'ArrowRight':
      return blocks[index + 1];
    case 'ArrowUp':
      return atSameTime(rows.slice(0, row).reverse(), current);
    case 'ArrowDown':
      return atSameTime(rows.slice(row + 1), current);
  }
}

/** Returns the block of the nearest row that contains the middle of the current one. */
function atSameTime(rows: readonly (readonly Block[])[], { left, width }: Block): Block | undefined {
  const middle = left + width / 2;
  const blocks = rows.find((row) => row.length > 0);
  return blocks?.find((block) => block.left <= middle && middle < block.left + block.width) ?? blocks?.[0];
}
