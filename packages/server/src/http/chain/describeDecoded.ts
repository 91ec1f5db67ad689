import type { DecodedRecord } from '@countersign/protocol'
import type { Decoded } from '../../chain/reads/decodeLog.ts'
import { plainValue } from './plainValue.ts'

export const describeDecoded = ({ label, signature, params }: Decoded): DecodedRecord => ({
  label,
  signature,
  params: params.map(({ name, type, value }) => ({ name, type, value: plainValue(value) })),
})
