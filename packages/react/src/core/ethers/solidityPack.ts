import { HelperError } from './HelperError.ts'
import { joinBytes, packValue } from './packValue.ts'
import { writeBytes } from './writeBytes.ts'

/**
 * Values side by side, as Solidity's `abi.encodePacked` writes them. Number types go to 256 bits in multiples of 8, byte
 * types to 32 bytes.
 *
 * @example
 * solidityPack(['uint16', 'bytes2'], [1, '0xabcd']) // '0x0001abcd'
 */
export function solidityPack(types: readonly string[], values: readonly unknown[]): `0x${string}` {
  if (types.length !== values.length) {
    const reason = `wrong number of values; expected ${types.length}`
    throw new HelperError(reason, 'INVALID_ARGUMENT', `There are ${values.length}.`)
  }
  return writeBytes(joinBytes(types.map((type, index) => packValue(type, values[index]))))
}
