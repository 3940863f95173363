// How long one pass of a call group takes, also of one that is about to be saved.

import { passSeconds } from '../../../domain/calls/group-pass.ts';
import type { CallGroup } from '../../../domain/people/call-group.ts';
import type { Query } from '../../../store/store.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';

type Passing = Pick<CallGroup, 'callMode' | 'teamIds' | 'scheduleId'>;

/** Returns seconds. */
export const getGroupPass: Query<{ readonly group: Passing }, number> = {
  name: 'get-group-pass',
  async run(tx, { group }) {
    return passSeconds(group, (await readCallConfiguration(tx)).snapshot);
  },
};
