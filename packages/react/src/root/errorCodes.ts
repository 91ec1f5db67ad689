export { errorCodes } from '@countersign/protocol'
