const FINAL_TEXT = 0x81
const FINAL_BINARY = 0x82
const LENGTH_16 = 126
const LENGTH_64 = 127

/**
 * One whole message as one piece of memory (RFC 6455, 5.2; a server does not mask). `ws` writes head and body apart, which
 * costs a gathered write for every message.
 */
export function frameOf(data: string | Uint8Array): Buffer {
  const isText = typeof data === 'string'
  const length = isText ? Buffer.byteLength(data) : data.length
  const headLength = length < LENGTH_16 ? 2 : length <= 0xffff ? 4 : 10
  const frame = Buffer.allocUnsafe(headLength + length)
  frame[0] = isText ? FINAL_TEXT : FINAL_BINARY
  if (headLength === 2) frame[1] = length
  else if (headLength === 4) {
    frame[1] = LENGTH_16
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = LENGTH_64
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  if (isText) frame.write(data, headLength)
  else frame.set(data, headLength)
  return frame
}
