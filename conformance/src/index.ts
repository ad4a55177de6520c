/*
 * The suite as a library, for a test of your own service. The command line of this package is made of the same parts.
 */
export { type Options, conformance } from './conformance.ts'
export { type Failure, type Result } from './run.ts'
export { type Need, type Section, type Statement, type Untried, idOf } from './statement.ts'
export { sections } from './statements.ts'
