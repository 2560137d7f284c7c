/** The name of a piece of content: SHA-256 of its JSON, in hexadecimal. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

export const digestOf = (value: unknown): string => bytesToHex(sha256(utf8ToBytes(JSON.stringify(value))))
