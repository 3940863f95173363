// Declares statements of tests, which are not among those of the server that have to run on both databases.

import { type Compilable, declaredStatements, sqlStatement, statement } from '../../../src/store/statement.ts';

export const testStatement: typeof statement = (build) => apart(statement(build));
export const testSqlStatement: typeof sqlStatement = (write) => apart(sqlStatement(write));

function apart<S extends Compilable>(made: S): S {
  declaredStatements.splice(declaredStatements.indexOf(made), 1);
  return made;
}
