import abi from './abi.json'
import addresses from './contractAddresses.json'

const contractAddresses: Record<string, string[]> = addresses

export { abi, contractAddresses }
