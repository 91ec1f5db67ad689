/**
 * What the server needs of viem. The build bundles this file, so that installing the server does not install viem,
 * which is sixty megabytes. Callers load it when they first need it.
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
