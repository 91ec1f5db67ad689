import { createAnswers } from './createAnswers.ts'
import { createEns } from './createEns.ts'
import { executeFunction } from './executeFunction.ts'
import { transfer } from './transfer.ts'

/** Encoding and decoding of contract calls in one chunk: it is larger than all the rest. */
export const onChain = { createAnswers, createEns, executeFunction, transfer }
