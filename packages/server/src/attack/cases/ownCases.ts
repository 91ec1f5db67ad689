import type { AttackCase } from '../AttackCase.ts'
import { accessCases } from './accessCases.ts'
import { agentCases } from './agentCases.ts'
import { batchCases } from './batchCases.ts'
import { bodyCases } from './bodyCases.ts'
import { chainCases } from './chainCases.ts'
import { consoleCases } from './consoleCases.ts'
import { eventLoopCases } from './eventLoopCases.ts'
import { fileCases } from './fileCases.ts'
import { hiddenFieldCases } from './hiddenFieldCases.ts'
import { limitCases } from './limitCases.ts'
import { liveCases } from './liveCases.ts'
import { nameCases } from './nameCases.ts'
import { oidcCases } from './oidcCases.ts'
import { operatorCases } from './operatorCases.ts'
import { providerCases } from './providerCases.ts'
import { queryCases } from './queryCases.ts'
import { secondFactorCases } from './secondFactorCases.ts'
import { sessionCases } from './sessionCases.ts'
import { signInCases } from './signInCases.ts'
import { stepUpCases } from './stepUpCases.ts'
import { tokenCases } from './tokenCases.ts'

/** Cases besides those that follow from the contract. */
export const ownCases: AttackCase[] = [
  ...signInCases,
  ...sessionCases,
  ...stepUpCases,
  ...accessCases,
  ...hiddenFieldCases,
  ...nameCases,
  ...queryCases,
  ...batchCases,
  ...fileCases,
  ...liveCases,
  ...providerCases,
  ...tokenCases,
  ...oidcCases,
  ...agentCases,
  ...secondFactorCases,
  ...consoleCases,
  ...operatorCases,
  ...chainCases,
  ...limitCases,
  ...bodyCases,
  ...eventLoopCases,
]
