// What the example uses of React Native and of react-native-sse, whose packages are too heavy to install for a check of types.
declare module "react-native" {
  import type { ComponentType, ReactNode } from "react";
  interface Common {
    style?: object | undefined;
    children?: ReactNode;
    accessibilityRole?: "alert" | "button";
  }
  export const View: ComponentType<Common>;
  export const ScrollView: ComponentType<Common>;
  export const Text: ComponentType<Common>;
  export const Pressable: ComponentType<Common & { disabled?: boolean; onPress: () => void }>;
  export const StyleSheet: { create<Styles>(styles: Styles): Styles };
}

declare module "react-native-sse" {
  export default class EventSource {
    constructor(url: string);
    addEventListener(type: string, listener: (message: { data?: string | null; lastEventId?: string | null }) => void): void;
    close(): void;
  }
}
