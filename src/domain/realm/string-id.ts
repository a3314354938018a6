/** Whether a text can be the `string_id` of an organization. The `string_id` is a part of host names. */
export const isStringId = (text: string): boolean => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text)
