/**
 * Parts of viem that the server uses. The build bundles this file, so installing the server does not install viem (60
 * MB). Callers load it on first use.
 */
export type { Abi, AbiEvent, AbiFunction, AbiParameter } from 'viem'
export {
  concat,
  decodeAbiParameters,
  decodeErrorResult,
  decodeEventLog,
  decodeFunctionData,
  decodeFunctionResult,
  encodeFunctionData,
  hexToBytes,
  keccak256,
  parseAbi,
  parseAbiItem,
  toEventSelector,
  toEventSignature,
  toFunctionSelector,
  toFunctionSignature,
  toHex,
} from 'viem'
export { labelhash, normalize, packetToBytes } from 'viem/ens'
