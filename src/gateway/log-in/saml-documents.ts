/**
 * SAML documents before they are verified: only those of a narrow form get to the library.
 *
 * An attacker of signatures in XML shows one element to the check of the signature, and another one to the reader.
 * These rules leave no room for a second element, whatever the library makes of it:
 *
 * 1. A document has no DTD, entity, comment, CDATA section or processing instruction. Its size and depth are bounded.
 * 2. No identifier occurs twice. There is one assertion, and it is a child of the root.
 * 3. A signature is a child of the root or of the assertion, is the only one there, refers to its parent alone, and has
 *    no part beside those that a signature needs.
 * 4. Signatures with SHA-1, MD5 or a shared secret are refused, and so is encryption of keys with PKCS #1 1.5.
 * 5. What is in an encrypted assertion follows the same rules.
 *
 * Documents are parsed and decrypted with functions of the library, so that both read the same.
 *
 * Source: SAML 2.0 Core, 5.4; Somorovsky et al., "On Breaking SAML: Be Whoever You Want to Be" (USENIX Security 2012).
 */
import { inflateRawSync } from 'node:zlib'
import { decryptXml, parseDomFromString } from '@node-saml/node-saml/lib/xml.js'

/** Characters of a message in base64. The body of a request without credentials may have no more. */
export const LONGEST_MESSAGE = 65_536
/** Bytes of a message that was compressed. */
const MAX_INFLATED = 100_000
const MAX_DEPTH = 50
const MAX_ELEMENTS = 5_000

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion'
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'
const SIGNATURE_MORE = 'http://www.w3.org/2001/04/xmldsig-more#'
const ENCRYPTION = 'http://www.w3.org/2001/04/xmlenc#'
const ENCRYPTION_11 = 'http://www.w3.org/2009/xmlenc11#'

/** The algorithms of signatures that are accepted (4). */
export const signatureAlgorithms: readonly string[] = ['rsa-sha256', 'rsa-sha512'].map(
  (name) => `${SIGNATURE_MORE}${name}`,
)

/** The algorithms that are accepted, by the element that names one (4). */
const algorithms: Readonly<Record<string, readonly string[]>> = {
  SignatureMethod: signatureAlgorithms,
  DigestMethod: [`${ENCRYPTION}sha256`, `${ENCRYPTION}sha512`],
  CanonicalizationMethod: [
    'http://www.w3.org/2001/10/xml-exc-c14n#',
    'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  ],
  Transform: [
    `${SIGNATURE}enveloped-signature`,
    'http://www.w3.org/2001/10/xml-exc-c14n#',
    'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  ],
  EncryptionMethod: [
    `${ENCRYPTION}rsa-oaep-mgf1p`,
    ...['aes128-gcm', 'aes256-gcm', 'rsa-oaep'].map((name) => `${ENCRYPTION_11}${name}`),
    ...['aes128-cbc', 'aes256-cbc'].map((name) => `${ENCRYPTION}${name}`),
  ],
}

/** The parts of a signature (3): none of them can carry a copy of what it signs. */
const PARTS = ['SignedInfo', 'SignatureValue', 'KeyInfo']

/** The kinds of messages. */
export type MessageName = 'Response' | 'LogoutRequest'

/** What is used of an element of the XML parser. */
export interface XmlElement {
  readonly nodeType: number
  readonly localName: string | null
  readonly namespaceURI: string | null
  readonly parentNode: unknown
  readonly textContent: string | null
  readonly attributes: ArrayLike<{ readonly localName: string | null; readonly value: string }>
  readonly childNodes: ArrayLike<XmlElement>
  getAttribute(name: string): string | null
  toString(): string
}

/** The text of a message that a form carries. Throws an Error. */
export const decodePosted = (input: string): string => {
  if (input.length > LONGEST_MESSAGE) throw new Error('the message is too long')
  return Buffer.from(input, 'base64').toString('utf8')
}

/** The text of a message that an address carries, compressed. Throws an Error. */
export const decodeRedirected = (input: string): string =>
  inflateRawSync(Buffer.from(input, 'base64'), { maxOutputLength: MAX_INFLATED }).toString('utf8')

/**
 * Reads a message, and refuses all that are not of the narrow form (1–5). Its signatures are not verified. Throws an
 * Error that says what is wrong.
 * @param key the private key that opens an encrypted assertion; undefined: there is none
 */
export const readMessage = async (xml: string, name: MessageName, key?: string): Promise<XmlElement> => {
  const root = await readDocument(xml)
  requireName(root, PROTOCOL, name)
  const assertions = [...selectAll(root, 'Assertion'), ...selectAll(root, 'EncryptedAssertion')]
  if (assertions.length > (name === 'Response' ? 1 : 0)) throw new Error('there is more than one assertion')
  const [assertion] = assertions
  if (assertion !== undefined && assertion.parentNode !== root) throw new Error('the assertion is not of the message')
  if (assertion?.localName === 'EncryptedAssertion') {
    checkSignatures(root, [root])
    await checkEncrypted(assertion, key)
  } else {
    if (assertion !== undefined) requireName(assertion, ASSERTION, 'Assertion')
    checkSignatures(root, assertion === undefined ? [root] : [root, assertion])
  }
  return root
}

/** The root of a document without a DTD and the like (1). Throws an Error. */
export const readDocument = async (input: string): Promise<XmlElement> => {
  const xml = input.replace(/^\uFEFF?\s*<\?xml\s[^?<>]*\?>/, '')
  // `<!` begins DTDs, entities, comments and CDATA sections, and occurs in no text of XML.
  if (xml.includes('<!') || xml.includes('<?')) throw new Error('the document has a DTD, a comment or the like')
  const document = (await parseDomFromString(xml)) as unknown as XmlElement
  const [root, ...others] = childElements(document)
  if (root === undefined || others.length > 0) throw new Error('the document has no root, or several')
  checkElements(root)
  return root
}

/** Refuses a document that is too large or too deep, or in which an identifier occurs twice (1, 2). */
const checkElements = (root: XmlElement): void => {
  const ids = new Set<string>()
  let level = [root]
  let count = 0
  for (let depth = 0; level.length > 0; depth++) {
    count += level.length
    if (depth > MAX_DEPTH || count > MAX_ELEMENTS) throw new Error('the document is too large')
    for (const { attributes } of level) {
      for (const { localName, value } of Array.from(attributes)) {
        if (localName?.toLowerCase() !== 'id') continue
        if (ids.has(value)) throw new Error('an identifier occurs twice')
        ids.add(value)
      }
    }
    level = level.flatMap(childElements)
  }
}

/** Refuses what is encrypted, unless the rules hold for it (5). Throws an Error. */
const checkEncrypted = async (encrypted: XmlElement, key: string | undefined): Promise<void> => {
  if (key === undefined) throw new Error('the assertion is encrypted, and there is no key for it')
  checkAlgorithms(encrypted, 'EncryptionMethod')
  const assertion = await readDocument(await decryptXml(String(encrypted), key))
  requireName(assertion, ASSERTION, 'Assertion')
  if (selectAll(assertion, 'Assertion').length > 0) throw new Error('there is more than one assertion')
  checkSignatures(assertion, [assertion])
}

/** Refuses signatures elsewhere than in these elements, and all that sign more or less than their parent (3, 4). */
const checkSignatures = (root: XmlElement, signed: readonly XmlElement[]): void => {
  const parents = selectAll(root, 'Signature').map((signature) => {
    checkSignature(signature)
    return signature.parentNode
  })
  if (parents.some((parent, i) => !signed.includes(parent as XmlElement) || parents.indexOf(parent) !== i)) {
    throw new Error('a signature is at a wrong place')
  }
}

const checkSignature = (signature: XmlElement): void => {
  requireName(signature, SIGNATURE, 'Signature')
  const parts = childElements(signature).map(({ localName }) => localName)
  if (parts.some((part, i) => !PARTS.includes(String(part)) || parts.indexOf(part) !== i)) {
    throw new Error('a signature has a wrong part')
  }
  const references = selectAll(signature, 'Reference')
  const id = (signature.parentNode as XmlElement | null)?.getAttribute('ID') ?? ''
  if (id === '' || references.length !== 1 || references[0]?.getAttribute('URI') !== `#${id}`) {
    throw new Error('a signature does not sign its parent')
  }
  for (const name of ['SignatureMethod', 'DigestMethod', 'CanonicalizationMethod', 'Transform']) {
    checkAlgorithms(signature, name)
  }
}

const checkAlgorithms = (within: XmlElement, name: string): void => {
  for (const element of selectAll(within, name)) {
    const algorithm = element.getAttribute('Algorithm') ?? ''
    if (algorithms[name]?.includes(algorithm) !== true) throw new Error(`the algorithm ${algorithm} is refused`)
  }
}

/** All elements with this name, of whatever namespace, that are below an element. */
export const selectAll = (within: XmlElement, name: string): XmlElement[] => {
  const children = childElements(within)
  return children.flatMap((child) => [...(child.localName === name ? [child] : []), ...selectAll(child, name)])
}

/** The elements that are children of a node. */
export const childElements = ({ childNodes }: XmlElement): XmlElement[] =>
  Array.from(childNodes).filter(({ nodeType }) => nodeType === ELEMENT)

const ELEMENT = 1

const requireName = ({ namespaceURI, localName }: XmlElement, namespace: string, name: string): void => {
  if (namespaceURI !== namespace || localName !== name) throw new Error(`there is no ${name}`)
}
