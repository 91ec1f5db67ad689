import { createAnswers } from './createAnswers.ts'
import { createEns } from './createEns.ts'
import { executeFunction } from './executeFunction.ts'
import { transfer } from './transfer.ts'

/** What encodes calls and reads answers of contracts, in one piece: it is larger than all the rest. */
export const onChain = { createAnswers, createEns, executeFunction, transfer }
