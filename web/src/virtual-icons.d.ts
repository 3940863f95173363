// The module that the build makes of the icons: the outlines of each.

declare module 'virtual:icons' {
  export const paths: Readonly<Record<import('../icon-names.ts').IconName, readonly string[]>>;
}
