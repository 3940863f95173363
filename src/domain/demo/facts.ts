// The facts about the demo plant of an installation that its administrator reads. Pure.

/** Times are milliseconds since 1970. */
export type DemoFacts = {
  readonly state: 'none' | 'making' | 'ready' | 'removing';
  /** Why none may be made now; undefined if one may. */
  readonly refusal: string | undefined;
  readonly madeAt?: number;
  readonly stationIds?: readonly number[];
  /** The alarm that rings first, and whose phone; once they are made. */
  readonly firstAlarmId?: number | undefined;
  readonly firstUserId?: number | undefined;
  /** When it is raised; undefined once it was. */
  readonly firstRaiseAt?: number | undefined;
};
