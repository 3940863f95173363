// How a refused request is marked: with the time alone while it is being retried, and with the caller once it has been.

import { statement } from '../../store/statement.ts';

export const updateRetried = statement<{ id: number; at: number | null; by: string | null }>((db, args) =>
  db.updateTable('intake_refusals').set({ retried_at: args.at, retried_by: args.by }).where('id', '=', args.id),
);
