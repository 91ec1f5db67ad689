// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// What names stand for, in the shape of the ENS resolver. Anyone may write, so that tests can forge.
contract NameResolver {
    mapping(bytes32 => address) public addr;
    mapping(bytes32 => string) public name;
    mapping(bytes32 => mapping(string => string)) public text;

    function setAddr(bytes32 node, address to) external {
        addr[node] = to;
    }

    function setName(bytes32 node, string calldata to) external {
        name[node] = to;
    }

    function setText(bytes32 node, string calldata key, string calldata to) external {
        text[node][key] = to;
    }
}
